import { UntrustedText } from '../ui/values/UntrustedText.tsx';

/** `Name <address>`: the name, and the rest. */
const MAILBOX = /^([^<>]*[^<>\s])\s*(<[^<>]+>)$/;

/** What stands in the list. A name and its address are kept apart, because they may run in different directions. */
export function EntryText({ text }: { text: string }) {
  const [, name, address] = MAILBOX.exec(text) ?? [];
  if (name === undefined || address === undefined) return <UntrustedText text={text} />;
  return (
    <>
      <UntrustedText text={name} /> <UntrustedText text={address} />
    </>
  );
}
