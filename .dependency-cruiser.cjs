/** The layers of docs/architecture.md: imports point downward only. */
const SDK = '^node_modules/(@aws-sdk|@smithy|@aws-crypto)/';
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: [from, ...allowed] },
});

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    only(
      'contract-imports-only-the-schema-library',
      '^lambdas/contract/',
      ['^node_modules/zod/'],
      'names and schemas, nothing else',
    ),
    only(
      'core-is-pure',
      '^lambdas/core/',
      ['^lambdas/contract/'],
      'no SDK, no environment, no clock, no console, no random',
    ),
    only('ports-know-core-types', '^lambdas/ports/', ['^lambdas/core/', '^lambdas/contract/']),
    only('app-knows-no-adapter', '^lambdas/app/', ['^lambdas/core/', '^lambdas/ports/', '^lambdas/contract/']),
    only('adapters-know-no-use-case', '^lambdas/adapters/', [
      '^lambdas/core/',
      '^lambdas/ports/',
      '^lambdas/contract/',
      SDK,
      '^node_modules/(zod|yaml|@aws-lambda-powertools)/',
      '^(node:)?(fs|path|crypto|stream|zlib|http|https|url|util|buffer|timers|events|perf_hooks|async_hooks|os|v8)(/promises)?$',
    ]),
    only('handlers-only-wire', '^lambdas/handlers/', [
      '^lambdas/(app|adapters|contract|ports|core)/',
      '^node_modules/(@middy|@aws-lambda-powertools|@types/aws-lambda)/',
      SDK,
    ]),
    only('lib-is-synth-time', '^lib/', [
      '^lambdas/contract/',
      '^node_modules/(@swc/core|acorn|aws-cdk-lib|constructs|cdk-nag|esbuild|yaml|zod)/',
      '^(node:)?(fs|path|url|crypto|module|child_process|os)(/promises)?$',
    ]),
    {
      name: 'the-simulator-is-no-part-of-the-service',
      severity: 'error',
      from: { path: '^lambdas/' },
      to: { path: '^(simulator|lib|bin|test)/' },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
