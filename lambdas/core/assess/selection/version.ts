/** Versions of components, as their images and add-ons spell them. */

export type Version = readonly [major: number, minor: number, patch: number];

/**
 * Reads `v1.22.1`, `1.22.1-eksbuild.3`, `v1.13`; what follows the numbers does not count.
 *
 * @example parseVersion('v1.22.1-eksbuild.1') // [1, 22, 1]
 */
export function parseVersion(text: string | undefined): Version | undefined {
  const found = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? '');
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)];
}

/** Below 0 where `a` is the older one, 0 where they are the same. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
