import type { AnchorHTMLAttributes } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & {
  /** A path of the console, perhaps with a query. */
  to: string;
};

/** A link to a page of the console. That of the router also has code that fetches pages from a server of its own. */
export function Link({ to, children, ...rest }: Props) {
  return (
    <a {...rest} href={useHref(to)} onClick={useLinkClickHandler(to)}>
      {children}
    </a>
  );
}

/** A link to a section of the console: the current one where its page, or one below it, is shown. */
export function SectionAnchor({ to, ...rest }: Props) {
  const { pathname } = useLocation();
  const isCurrent = pathname === to || pathname.startsWith(`${to}/`);
  return <Link {...rest} to={to} aria-current={isCurrent ? 'page' : undefined} />;
}
