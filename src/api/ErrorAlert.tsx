import { Button } from '@mantine/core';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { ApiError, errorTitle } from './ApiError.ts';

type Props = {
  error: unknown;
  /** As in "Showing data from 14:02." */
  note?: string;
  onRetry?: () => void;
};

export function ErrorAlert({ error, note, onRetry }: Props) {
  const message = error instanceof Error ? error.message : String(error);
  // The message may contain that of a field already.
  const fields = error instanceof ApiError ? error.fields.filter((field) => !message.includes(field.message)) : [];
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
          {fields.map((error) => (
            <li key={`${error.field} ${error.message}`}>
              <code>
                <UntrustedText text={error.field} />
              </code>
              : <UntrustedText text={error.message} />
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
