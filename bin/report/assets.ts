/** The page's own code, made of its typed sources when a report is made: nothing generated is committed, and nothing can be stale. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ReportAssets } from '../../lambdas/core/report/html/render.ts';

const PAGE = new URL('../../lambdas/core/report/html/page/', import.meta.url);

/** Browsers that have `DecompressionStream` with raw deflate, which the page needs anyway. */
const TARGETS = ['chrome103', 'firefox113', 'safari16.4'];

export async function reportAssets(): Promise<ReportAssets> {
  const [bundled, css] = await Promise.all([
    build({
      entryPoints: [fileURLToPath(new URL('main.ts', PAGE))],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      target: TARGETS,
      charset: 'ascii',
      legalComments: 'none',
      logLevel: 'silent',
    }),
    readFile(new URL('style.css', PAGE), 'utf8'),
  ]);
  const script = bundled.outputFiles[0]?.text.trim() ?? '';
  // A closing tag inside a string would end the element; esbuild writes it as <\/script, and the style has none.
  return { script, style: css };
}
