import stringWidth from 'string-width';
import type { Pen } from '../../lambdas/core/report/pen.ts';

/** Writes without colour, as into a file. */
export const plainPen: Pen = { width: stringWidth, paint: (_ink, text) => text };

/** Shows which ink was used: `<critical:text>`. */
export const markedPen: Pen = { width: stringWidth, paint: (ink, text) => `<${ink}:${text}>` };
