import { Button, NativeSelect } from '@mantine/core';
import { countOf } from './countOf.ts';
import { Notice } from '../ui/Notice.tsx';
import type { Source } from './mapping.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Import.module.css';
import { chooseSource, type ImportState, startOver } from './importStore.ts';

/** Which export the file is: what its columns say, or the user's choice. */
export function SourceChoice({ state: { file, sources, source }, isFixed }: { state: ImportState; isFixed: boolean }) {
  const { found, preset, all } = sources;
  const refusal = source?.kind.refusal;
  return (
    <section className={classes.part} aria-label="File">
      <p>
        <b>
          <UntrustedText text={file?.name ?? ''} />
        </b>
        : {countOf(file?.lines.length ?? 0, 'line')}
      </p>
      {file?.isHeadless && (
        <Notice tone="neutral" title="The first line doesn’t name the columns">
          It has an email address, so it’s imported like the others. Say below which attribute each column becomes.
        </Notice>
      )}
      {file?.more && <Notice tone="warn" title={file.more} />}
      <NativeSelect
        label="What is in this file?"
        description={describeFound(found.length, preset)}
        value={source?.id ?? ''}
        disabled={isFixed}
        data={[
          ...(source === null ? [{ value: '', label: 'Choose …' }] : []),
          ...all.map(({ id, label }) => ({ value: id, label })),
        ]}
        onChange={(event) => chooseSource(event.currentTarget.value)}
      />
      {refusal !== undefined && (
        <Notice tone="bad" title="This file isn’t imported">
          {refusal}
        </Notice>
      )}
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={startOver}>
          Choose another file
        </Button>
      </div>
    </section>
  );
}

function describeFound(count: number, preset: Source | null): string {
  if (preset !== null)
    return preset.isOther
      ? 'Read as contacts, because a column seems to say who is unsubscribed.'
      : 'Recognised by its columns.';
  if (count === 0) return 'Its columns aren’t those of a known export.';
  return count === 1
    ? 'It may be an export, or any other file with such columns. Choose which it is.'
    : 'Several exports have these columns. Choose which it is.';
}
