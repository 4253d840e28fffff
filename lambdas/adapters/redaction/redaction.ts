/**
 * Takes out of what AWS and Kubernetes said whose it is, and leaves what it is: `assess` of both gives the same ledgers and findings, but for names.
 *
 * A document is written by rules that name every field that may stay, so that a field which AWS adds tomorrow is left out until somebody has looked at it.
 * Replaced: ids of accounts and resources, names, unknown tags, free text. Left out: public and IPv6 addresses, host names, MAC addresses, keys, policies.
 * Kept: private addresses and blocks, zones, instance types, well-known tags, the beginnings of descriptions by which classes are told.
 */
import { Place } from '../../core/input/place.ts';
import type { InputName, SubnetFacts } from '../../core/subnet/snapshot.ts';
import { decodeSubnets } from '../describe/subnets.ts';
import { ec2Rules, eksRules, readingRule } from './aws-documents.ts';
import { kubernetesRules } from './kubernetes-documents.ts';
import { Pseudonyms } from './pseudonyms.ts';
import type { Rule } from './rules.ts';
import { redactTerm } from './selector-terms.ts';

/** A document that is ready to be written. */
export type Redacted = readonly [input: InputName, document: object];

/** Inputs that say nothing about subnets and so may be answered before all subnets are known. */
const BESIDE_SUBNETS: ReadonlySet<InputName> = new Set<InputName>(['subnets', 'caller', 'now']);
export class Redaction {
  readonly names: Pseudonyms;
  readonly #rules: Partial<Readonly<Record<InputName, Rule>>>;
  readonly #subnets: SubnetFacts[] = [];
  /** Documents of subnets, until all are there: their ids get others that sort alike. */
  #held: object[] = [];

  constructor(names: Pseudonyms = new Pseudonyms()) {
    this.names = names;
    this.#rules = {
      ...ec2Rules(names),
      ...eksRules(names),
      reading: readingRule(names),
      ...kubernetesRules(names, (term) => redactTerm(term, this.#subnets, names)),
    };
  }

  /** @returns the documents that can be written now, this one or those that were waiting for it. Documents are valid ones: they were decoded before. */
  take(input: InputName, document: object): readonly Redacted[] {
    if (input === 'subnets') {
      this.#subnets.push(...decodeSubnets(document, Place.of('subnets')));
      this.#held.push(document);
      return [];
    }
    const ready = BESIDE_SUBNETS.has(input) ? [] : this.rest();
    return [...ready, this.#write(input, document)];
  }

  /** What is still held back. */
  rest(): readonly Redacted[] {
    this.names.idsInOrder(this.#subnets.map(({ subnetId }) => subnetId));
    this.names.idsInOrder(this.#subnets.map(({ vpcId }) => vpcId));
    const ready = this.#held.map((document) => this.#write('subnets', document));
    this.#held = [];
    return ready;
  }

  #write(input: InputName, document: object): Redacted {
    const rule = this.#rules[input];
    if (rule === undefined) throw new Error(`there is no rule for ${input}`);
    return [input, rule(document) as object];
  }
}
