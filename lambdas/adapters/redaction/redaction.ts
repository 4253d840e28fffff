/**
 * Takes out of what AWS and Kubernetes said whose it is, and leaves what it is: `assess` of both gives the same ledgers and findings, but for names.
 *
 * A document is written by rules that name every field that may stay, so that a field which AWS adds tomorrow is left out until somebody has looked at it.
 * Replaced: ids of accounts and resources, names, unknown tags, free text. Left out: public and IPv6 addresses, host names, MAC addresses, keys, policies.
 * Kept: the order of names and of ids of a kind, by which ties are broken; it tells the rank of each among those in the folder, and nothing else of them.
 * Kept as they are: private addresses and blocks, zones, instance types, well-known tags, the beginnings of descriptions by which classes are told.
 */
import { Place } from '../../core/input/place.ts';
import type { InputName, SubnetFacts } from '../../core/subnet/snapshot.ts';
import { decodeSubnets } from '../describe/subnets.ts';
import { ec2Rules, eksRules, readingRule } from './aws-documents.ts';
import { kubernetesRules } from './kubernetes-documents.ts';
import { Pseudonyms } from './pseudonyms.ts';
import type { Rule } from './rules.ts';
import { redactTerm } from './selector-terms.ts';

export class Redaction {
  readonly names: Pseudonyms;
  readonly #rules: Partial<Readonly<Record<InputName, Rule>>>;
  readonly #subnets: SubnetFacts[] = [];

  constructor(names: Pseudonyms = new Pseudonyms()) {
    this.names = names;
    this.#rules = {
      ...ec2Rules(names),
      ...eksRules(names),
      reading: readingRule(names),
      ...kubernetesRules(names, (term) => redactTerm(term, this.#subnets, names)),
    };
  }

  /** The document as it may be written. Subnets come first, since patterns of selectors are written by what they match. Documents are valid ones: they were decoded before. */
  take(input: InputName, document: object): object {
    if (input === 'subnets') this.#subnets.push(...decodeSubnets(document, Place.of('subnets')));
    const rule = this.#rules[input];
    if (rule === undefined) throw new Error(`there is no rule for ${input}`);
    return rule(document) as object;
  }

  /**
   * To be called once all documents were taken: which names there are is known only then, and they are to sort as the true ones do.
   *
   * @returns the change that every text that was written has to go through.
   */
  settle(): (text: string) => string {
    const settled = this.names.settle();
    return (text) => Pseudonyms.replace(text, settled);
  }
}
