/** Called by CloudWatch dashboards, with the rights of whoever looks: shows the newest snapshot. */
import { S3Client } from '@aws-sdk/client-s3';
import type { Context } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { Bucket } from '../adapters/snapshots/bucket.ts';
import { s3LatestSnapshot } from '../adapters/snapshots/s3-latest-snapshot.ts';
import { showWidget, type WidgetEvent } from '../app/widget.ts';
import { readEnvironment } from '../contract/environment.ts';
import { settingsFromConfig } from '../core/assess/settings.ts';

const env = readEnvironment('widget', process.env);
const settings = settingsFromConfig(readBundledConfig(env.configFile));
const latest = s3LatestSnapshot(new Bucket(new S3Client(), env.bucket), env);

export function handler(event: WidgetEvent, context: Context): Promise<string> {
  return showWidget(event, { latest, settings, endpoint: context.invokedFunctionArn, now: Date.now() });
}
