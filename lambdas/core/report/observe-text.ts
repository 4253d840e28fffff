/** What `observe` prints once the folder is written. */
import type { HeadroomDocument } from '../../contract/document.ts';
import { interfacesWord } from './assess-text.ts';
import { counted, wrap } from './layout.ts';
import { nextCommand } from './next-command.ts';
import type { Pen } from './pen.ts';
import { sourceLines, unreadLines } from './source-text.ts';

/** @param folder as the user typed it. */
export function observeText(pen: Pen, document: HeadroomDocument, folder: string, command?: string): string[] {
  const { source, subnets } = document;
  return [
    ...sourceLines(pen, document),
    ...wrap(pen, `Written to ${folder}: ${counted(subnets.length, 'subnet')}, ${interfacesWord(subnets)}.`),
    '',
    ...unreadLines(pen, source),
    ...(source.unknown.length === 0
      ? []
      : [
          ...wrap(
            pen,
            'The folder holds what could be read of these, and its reading.json says that there was more: an assessment of it is one in part, too.',
          ),
          '',
        ]),
    ...nextCommand(pen, ['assess', '--from', folder], command),
  ];
}
