import { ConsentColumn } from '#contract/importFiles/consents.ts';
import { isObject } from '#contract/values/json.ts';
import { toPrintable } from '../../terminal/printable.ts';

const NAMED_MAX = 20;
/** Attributes that are looked at. */
const COLUMNS_MAX = 1000;

/** Fields of a line, and attributes that are known. */
type Named = { fields: readonly string[]; attributes: readonly string[] | null };

/** Finds attributes of contacts that look as if they said who gets no mail, where nothing else in the file does. */
export class ConsentNotes {
  readonly #what: 'column' | 'field';
  readonly #known: ReadonlySet<string>;
  readonly #found = new Map<string, ConsentColumn>();
  #isOn: boolean;

  constructor(what: 'column' | 'field', { fields, attributes }: Named) {
    this.#what = what;
    this.#known = new Set(attributes);
    this.#isOn = fields.includes('subscribed');
  }

  /** Something else says it. */
  end(): void {
    this.#isOn = false;
  }

  read(attribute: string, cell: string): void {
    if (!this.#isOn || this.#known.has(attribute)) return;
    let column = this.#found.get(attribute);
    if (column === undefined) {
      if (this.#found.size >= COLUMNS_MAX) return;
      column = new ConsentColumn(attribute);
      this.#found.set(attribute, column);
    }
    column.read(cell);
  }

  readLine(line: object): void {
    if (!this.#isOn) return;
    const { attributes = null, ...fields } = line as { attributes?: unknown };
    if ('subscribed' in fields || 'suppression' in fields) this.end();
    if (!isObject(attributes)) return;
    for (const [name, value] of Object.entries(attributes))
      this.read(name, typeof value === 'object' ? '' : String(value));
  }

  note(onNote: (sentence: string) => void): void {
    const found = [...this.#found].flatMap(([name, { looksSo }]) => (looksSo ? name : []));
    if (!this.#isOn || found.length === 0) return;
    onNote(
      `${formatNames(found)}: this does NOT unsubscribe anybody. To unsubscribe people, add a ${this.#what} called subscribed with true or false, or suppression${this.#what === 'column' ? '.since' : ''} with the date, and import the file again.`,
    );
  }
}

export function formatNames(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).map((name) => toPrintable(name));
  return names.length > named.length ? `${named.join(', ')} and ${names.length - named.length} more` : named.join(', ');
}
