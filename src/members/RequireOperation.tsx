import type { ReactNode } from 'react';
import type { OperationId } from '#contract/roles.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { PageTitle } from '../ui/PageTitle.tsx';

type Props = {
  operation: { id: OperationId };
  title: string;
  what: string;
  children: ReactNode;
};

export function RequireOperation({ operation, title, what, children }: Props) {
  const isOffered = useCapability(operation);
  const missing = useMissingRole(operation);
  if (isOffered && missing === null) return children;
  return (
    <>
      <PageTitle title={title} />
      <p className="soft">{isOffered ? `${what} ${missing}` : 'This page isn’t available on this service.'}</p>
    </>
  );
}
