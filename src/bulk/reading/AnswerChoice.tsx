import { useMutation } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { bulk } from '../bulk.ts';
import { StorageErrorNotice } from '../BulkNotices.tsx';
import type { BulkEntry } from '../bulkState.ts';
import classes from './ColumnChoice.module.css';
import { Option } from './Option.tsx';
import { type AnswerCount, type Chosen, countAnswers, type Question } from './question.ts';

type Props = { question: Question; entries: readonly BulkEntry[] };

/** Asks who is meant by a table with columns of yes and no, or of dates in some rows. */
export function AnswerChoice({ question, entries }: Props) {
  const group = useId();
  const { headings, chosen } = question;
  const columns = useMemo(() => countAnswers(question, entries), [question, entries]);
  const { mutate, error } = useMutation({ mutationFn: (next: Chosen) => bulk.choose(next) });
  const options = columns.flatMap((counts, column) =>
    counts.map((count) => ({ ...count, column, heading: headings[column] ?? '' })),
  );
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>Who is meant?</legend>
      {chosen === null && (
        <Notice
          tone="warn"
          title={`Only you know what ${headings.length === 1 ? 'this column means' : 'these columns mean'}`}
        >
          {columns.map((counts, column) => (
            // oxlint-disable-next-line react/no-array-index-key -- headings may repeat
            <p key={column}>
              <UntrustedText text={describeColumn(headings[column] ?? '', counts)} />
            </p>
          ))}
          Choose who is meant. Until then, nothing is selected.
        </Notice>
      )}
      <Option group={group} isChosen={chosen === 'everybody'} onChoose={() => mutate('everybody')}>
        <b>Everybody</b>
        <span className={`${classes.samples} note`}>Whatever the cells say</span>
        <span className="note">{describePeople(sumPeople(columns[0] ?? []))}</span>
      </Option>
      {options.map(({ column, heading, answer, text, people }) => (
        <Option
          key={`${column} ${answer}`}
          group={group}
          isChosen={typeof chosen === 'object' && chosen?.column === column && chosen.answer === answer}
          onChoose={() => mutate({ column, answer })}
        >
          <b>
            <UntrustedText text={`Only ${answer === 'date' ? 'rows with a date' : describeText({ answer, text })}`} />
          </b>
          <span className={classes.samples}>
            <UntrustedText text={`in “${heading}”`} />
          </span>
          <span className="note">{describePeople(people)}</span>
        </Option>
      ))}
      <StorageErrorNotice of={[{ error }]} />
    </fieldset>
  );
}

const sumPeople = (counts: readonly AnswerCount[]) => counts.reduce((sum, { people }) => sum + people, 0);
const describePeople = (count: number) => `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`;

const describeText = ({ answer, text }: Pick<AnswerCount, 'answer' | 'text'>): string =>
  answer === 'date' ? 'a date' : answer === 'other' ? 'other texts' : text === '' ? 'empty cells' : `“${text}”`;

/** Column “Kündigung” says “ja” for 12 people and “nein” for 3, or has a date for 2 people and nothing for 4. */
export function describeColumn(heading: string, counts: readonly AnswerCount[]): string {
  const parts = counts.map(({ people, ...count }, index) => {
    const who = index === 0 ? describePeople(people) : formatCount(people);
    return count.text === '' ? `nothing for ${who}` : `${describeText(count)} for ${who}`;
  });
  const last = parts.pop() ?? '';
  const verb = counts.some(({ answer }) => answer === 'date') ? 'has' : 'says';
  return `Column “${heading}” ${verb} ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}.`;
}
