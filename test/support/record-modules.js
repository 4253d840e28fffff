// Preloaded with --import: writes down the URL of every module that the process loads.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.MODULE_LIST, `${url}\n`);
    return nextLoad(url, context);
  },
});
