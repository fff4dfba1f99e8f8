import { Notice } from '../ui/Notice.tsx';

/** Shows the first error of these mutations. All of them write to the journal. */
export function StorageErrorNotice({ of }: { of: readonly { error: Error | null }[] }) {
  const error = of.map((one) => one.error).find((one) => one !== null);
  return error === undefined ? null : (
    <Notice tone="bad" title="This browser could not keep the list">
      Nothing more is sent. {error?.message}
    </Notice>
  );
}
