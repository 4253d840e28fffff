/** Completes the commands inside sentences: a rule knows the subnet, and only who prints knows where it was read and how the program is called. */
import type { DocumentSource, HeadroomDocument } from '../../contract/document.ts';
import { shellWord } from './messages/safe-text.ts';
import { COMMAND } from './next-command.ts';

/** A command as rules write it, without its source. `SUBNET` stands for one that the sentence does not know. */
const IN_TEXT = /\bheadroom (explain|plan --untag) (subnet-[0-9A-Za-z-]*[0-9A-Za-z]|SUBNET)\b(?! --)/g;

/** Where the subnets were read: a folder, else a region. */
export type ReadFrom = Pick<DocumentSource, 'path' | 'region'>;

export interface Typist {
  /** How the reader calls the program; default `headroom`. */
  readonly command?: string;
  /** What `SUBNET` means here. */
  readonly subnetId?: string | undefined;
}

/** The text with each command in it as it can be typed; `REGION` and `DIR` stay where nobody knows them. */
export function typable(
  text: string,
  { path, region }: ReadFrom,
  { command = COMMAND, subnetId }: Typist = {},
): string {
  const files = `--from ${path === undefined ? 'DIR' : shellWord(path)}`;
  const live = `--region ${region === undefined ? 'REGION' : shellWord(region)}`;
  return text.replace(IN_TEXT, (_, verb: string, id: string) => {
    const subnet = id === 'SUBNET' ? (subnetId ?? id) : id;
    // `plan --untag` needs the nodes, which only files tell of.
    const from = verb === 'explain' && path === undefined ? live : files;
    return `${command} ${verb} ${subnet} ${from}`;
  });
}

type DocumentFindings = NonNullable<HeadroomDocument['findings']>;

/** Findings whose remedies can be typed. */
export function typableFindings(findings: DocumentFindings, source: ReadFrom, typist?: Typist): DocumentFindings {
  return findings.map((finding) =>
    finding.remedy === undefined ? finding : { ...finding, remedy: typable(finding.remedy, source, typist) },
  );
}

/** A document whose remedies and plans can be typed. */
export function typableDocument(document: HeadroomDocument, command?: string): HeadroomDocument {
  const { source, findings, plan } = document;
  const typist = command === undefined ? {} : { command };
  return {
    ...document,
    ...(findings === undefined ? {} : { findings: typableFindings(findings, source, typist) }),
    ...(plan === undefined
      ? {}
      : {
          plan: plan.map((one) => ({ ...one, commands: one.commands.map((text) => typable(text, source, typist)) })),
        }),
  };
}
