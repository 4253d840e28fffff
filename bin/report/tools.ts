import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { ReportTools } from '../../lambdas/core/report/html/render.ts';

/** Node's own. */
export const REPORT_TOOLS: ReportTools = {
  deflate: (bytes) => deflateRawSync(bytes, { level: 9 }).toString('base64'),
  sha256: (text) => createHash('sha256').update(text, 'utf8').digest('base64'),
};
