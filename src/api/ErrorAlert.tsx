import { Button } from '@mantine/core';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { ApiError, errorTitle } from './ApiError.ts';

type Props = {
  error: unknown;
  /** What stays true in spite of the failure, as in "Showing what was read at 14:02." */
  note?: string;
  onRetry?: () => void;
};

/** A failed call, where its answer would have stood: what happened, what to try, and the id to give to an operator. */
export function ErrorAlert({ error, note, onRetry }: Props) {
  const message = error instanceof Error ? error.message : String(error);
  // What the sentence says already is not said again.
  const fields = error instanceof ApiError ? error.fields.filter((fault) => !message.includes(fault.message)) : [];
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice
      tone="bad"
      title={errorTitle(error)}
      actions={
        onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      <p>
        <UntrustedText text={message} />
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.map((fault) => (
            <li key={`${fault.field} ${fault.message}`}>
              <code>
                <UntrustedText text={fault.field} />
              </code>
              : <UntrustedText text={fault.message} />
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && <p>{note}</p>}
      {requestId !== undefined && (
        <p>
          Request{' '}
          <code>
            <UntrustedText text={requestId} />
          </code>
        </p>
      )}
    </Notice>
  );
}
