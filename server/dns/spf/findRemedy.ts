import { isIP } from 'node:net';
import { type SpfEvaluation, findPermerror, type SpfPermerror } from './evaluation.ts';
import { isOpen, listOpeners } from './openness.ts';

/** Terms of a record with their replacements; null removes the term. */
export type Remedy = ReadonlyMap<string, string | null>;

/**
 * Changes that make a record work without denying any sender: empty when it works, null when the owner has to decide.
 */
export function findRemedy(evaluation: SpfEvaluation, name: string): Remedy | null {
  if (evaluation.sets.temperror.length > 0) return null;
  const fault = findPermerror(evaluation);
  if (fault !== null) return nullIfEmpty(new Map(uselessTerms(evaluation, fault, name).map((text) => [text, null])));
  if (!isOpen(evaluation.sets.pass)) return new Map();
  const openers = listOpeners(evaluation);
  // Records of others must be changed there, and their include may be needed for other senders.
  if (openers.some(({ way }) => way.length > 0)) return null;
  return nullIfEmpty(new Map(openers.map(({ text }) => [text, narrowTerm(text)])));
}

function nullIfEmpty(remedy: Remedy): Remedy | null {
  return remedy.size === 0 ? null : remedy;
}

/** Terms of the record that allow nobody, and whose removal may fix the error. */
function uselessTerms(evaluation: SpfEvaluation, fault: SpfPermerror, name: string): string[] {
  const isOwn = fault.way.length === 0;
  const opaque = new Set(evaluation.opaque.map(({ text }) => text));
  const voids = evaluation.voids.flatMap(({ way, text }) => (way.length > 0 || opaque.has(text) ? [] : [text]));
  switch (fault.kind) {
    case 'none':
      return isOwn ? [fault.text] : [];
    case 'loop':
      return isOwn && fault.target === name ? [fault.text] : [];
    case 'voids':
      return voids;
    case 'lookUps':
      return [...voids, ...doubledTerms(evaluation)];
    case 'several':
    case 'syntax':
    case 'long':
    case 'mxHosts':
      return [];
  }
}

/** Terms that another term leads to as well. */
function doubledTerms({ positives }: SpfEvaluation): string[] {
  return positives
    .filter(
      ({ key, way, text }) =>
        way.length === 0 &&
        key !== null &&
        positives.some((one) => one.key === key && one.way.length > 0 && one.way[0] !== text),
    )
    .map(({ text }) => text);
}

/** The probable meaning of a term that matches very many: the host of `a/0`, the address of `ip4:192.0.2.1/0`. */
function narrowTerm(text: string): string | null {
  if (/^\+?(?:a|mx)\b/i.test(text)) return text.replace(/(?:\/\d+)?(?:\/\/\d+)?$/, '');
  const [, address = ''] = /^\+?ip[46]:([^/]+)\/\d+$/i.exec(text) ?? [];
  if (isIP(address) === 0 || /^[\d.]*(?:\.0)$|::$/.test(address)) return null;
  return text.replace(/\/\d+$/, '');
}
