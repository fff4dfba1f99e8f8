import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { UnusableFileError } from '../listParser/readFile.ts';
import { useSession } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { TooLargeError } from './readExport.ts';

/** Why no file could be read. */
export function UnusableFile({ error }: { error: Error | null }) {
  const { workspace_uuid: workspace } = useSession();
  if (error === null) return null;
  if (!(error instanceof UnusableFileError)) return <ErrorAlert error={error} />;
  const command = `sendroom admin import contacts FILE --workspace ${workspace ?? 'UUID'} --from PROVIDER`;
  return (
    <Notice tone="bad" title="Can’t read this">
      <p>
        <UntrustedText text={error.message} />
      </p>
      {error instanceof TooLargeError && (
        <p>
          Import it on a machine that reaches the database: <code>{command}</code>{' '}
          <CopyButton value={command} what="command" />
        </p>
      )}
    </Notice>
  );
}
