/** The Python that the benchmarks may use: the tests' own virtual environment where it is there, else the machine's, else none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const VENV = '.venv/bin/python';

export function pythonHas(python: string, module: string): boolean {
  return spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0;
}

export function findPython(): string | undefined {
  if (existsSync(VENV)) return VENV;
  return spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0 ? 'python3' : undefined;
}
