/** The SDK's clients read their version from their package file, which brings their scripts and dependencies along: two kilobytes for each client. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

const PACKAGE_FILE = /[\\/]@aws-sdk[\\/]client-[\w-]+[\\/]package\.json$/;

export const versionsOnly: Plugin = {
  name: 'versions-only',
  setup: (build) => {
    build.onLoad({ filter: PACKAGE_FILE }, ({ path }) => {
      const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
