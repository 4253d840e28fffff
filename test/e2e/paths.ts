import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The root of the repository: tests are always run from there, by npm. */
export const ROOT = process.cwd();

/** Where logs and scratch files of a run go; ignored by git, left behind for whoever looks into a failure. */
export const CACHE = join(ROOT, '.cache', 'e2e');

/** A program of the .venv that test/e2e/install.sh makes. Throws with the command to run where it is missing. */
export const venvProgram = (name: string): string => {
  const path = join(ROOT, '.venv', 'bin', name);
  if (!existsSync(path)) throw new Error(`${path} is missing: run test/e2e/install.sh`);
  return path;
};

/** PATH with the project's own Node first: the emulator runs functions with the `node` it finds there. */
export const pathWithOwnNode = (): string =>
  [join(ROOT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
