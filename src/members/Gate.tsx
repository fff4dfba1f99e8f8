import type { ReactNode } from 'react';
import type { OperationId } from '#contract/roles.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

type Props = {
  /** The operation without which there is no such page. */
  operation: { id: OperationId };
  title: string;
  /** What the page has, as in "The list of people". */
  what: string;
  children: ReactNode;
};

/** A page, or why it is not there for this service or this role. */
export function Gate({ operation, title, what, children }: Props) {
  const isOffered = useCapability(operation);
  const missing = useMissingRole(operation);
  if (isOffered && missing === null) return children;
  return (
    <>
      <PageTitle title={title} />
      <p className="soft">{isOffered ? `${what} ${missing}` : 'This service has no such page.'}</p>
    </>
  );
}
