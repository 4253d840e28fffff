#!/usr/bin/env node
import './require-node.js';
import { enableCompileCache } from 'node:module';

// Keeps the stripped and compiled TypeScript between runs: the second start of the command is several times faster.
enableCompileCache();
await import('./cli.ts');
