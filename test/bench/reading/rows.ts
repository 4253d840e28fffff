/** Rows of the product alone, by what it read. */
export const GROWTH_ROWS = {
  tenPages: '10 pages',
  hundredPages: '100 pages',
  smallSpace: '100 pages, 64 MB old space',
  thousandPages: '1,000 pages',
} as const;
