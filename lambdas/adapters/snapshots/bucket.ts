/** Gzipped texts in the bucket. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { awsCode } from '../aws-error.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** S3's names for a key that is not there. */
const ABSENT: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound']);

export class Bucket {
  private readonly client: S3Client;
  private readonly name: string;

  constructor(client: S3Client, name: string) {
    this.client = client;
    this.name = name;
  }

  /** @returns the text under the key, whether it is gzipped or plain; `undefined` where there is none. */
  async read(key: string): Promise<string | undefined> {
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.name, Key: key }));
      const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
      return (isGzip(bytes) ? await unpack(bytes) : bytes).toString('utf8');
    } catch (error) {
      if (ABSENT.has(awsCode(error))) return undefined;
      throw error;
    }
  }

  async write(keys: readonly string[], text: string): Promise<void> {
    const Body = await pack(text);
    for (const Key of keys) {
      await this.client.send(
        new PutObjectCommand({
          Bucket: this.name,
          Key,
          Body,
          ContentType: 'application/json',
          ContentEncoding: 'gzip',
        }),
      );
    }
  }
}

/** The two bytes that every gzip file begins with (RFC 1952, 2.3.1). */
function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
