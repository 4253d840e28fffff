/**
 * Preloaded into the command: a request to a function URL goes to the emulator, where it is a path. Stands in for DNS and TLS, and for nothing else: the
 * request is the one that the command made and signed.
 */
const endpoint = process.env.AWS_ENDPOINT_URL ?? '';
const direct = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const [, id] = /^([^.]+)\.lambda-url\./.exec(url.hostname) ?? [];
  if (id === undefined) return direct(input, init);
  return direct(new URL(`/_aws/lambda-url/${id}${url.pathname}${url.search}`, endpoint), init);
};
