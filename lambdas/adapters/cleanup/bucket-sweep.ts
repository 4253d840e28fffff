import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';

/** Deletes every object of a bucket without versions; gives how many there were. A bucket that is gone counts as empty. */
export async function deleteEveryObject(s3: S3Client, bucket: string): Promise<number> {
  let deleted = 0;
  for (;;) {
    // Always from the start: what was listed before is gone, and a list has at most 1,000 keys, as many as DeleteObjects takes.
    const keys = await listKeys(s3, bucket);
    if (keys.length === 0) return deleted;
    const { Errors: refused = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } }),
    );
    const [first] = refused;
    if (first !== undefined) {
      throw new Error(
        `${refused.length} objects of ${bucket} cannot be deleted, ${first.Key} among them: ${first.Code}`,
      );
    }
    deleted += keys.length;
  }
}

async function listKeys(s3: S3Client, bucket: string): Promise<readonly string[]> {
  try {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchBucket') return [];
    throw error;
  }
}
