import { BUCKET_PREFIXES } from '../../lambdas/contract/names.ts';
import type { Permission } from './permission.ts';
import { viaService } from './resources.ts';

export interface WidgetResources {
  readonly bucketArn: string;
  readonly keyArn: string;
}

/** What the widget may do: read the newest snapshot, and nothing else. */
export function widgetPermissions({ bucketArn, keyArn }: WidgetResources): readonly Permission[] {
  return [
    {
      sid: 'ReadLatestSnapshot',
      actions: ['s3:GetObject'],
      resources: [`${bucketArn}/${BUCKET_PREFIXES.cache}*/latest.json.gz`],
      why: 'the newest snapshot stands under account and region',
    },
    {
      sid: 'ListCache',
      actions: ['s3:ListBucket'],
      resources: [bucketArn],
      conditions: { StringLike: { 's3:prefix': `${BUCKET_PREFIXES.cache}*` } },
      why: 'to be told that there is no snapshot yet, and not that it is forbidden',
    },
    {
      sid: 'Decrypt',
      actions: ['kms:Decrypt'],
      resources: [keyArn],
      conditions: { StringLike: { 'kms:ViaService': viaService(['s3']) } },
      why: 'the bucket is encrypted with the key',
    },
  ];
}
