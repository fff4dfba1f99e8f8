import { use, type AnchorHTMLAttributes, type MouseEvent } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & {
  /** A path of the console, perhaps with a query. */
  to: string;
};

/**
 * A link to a page of the console. That of the router renders again with each change of the URL, because its path may be
 * relative: a list has a hundred of them.
 */
export function Link({ to, children, ...rest }: Props) {
  const { basename, navigator } = use(NavigationContext);
  const path = pathUnder(basename, to);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // As a browser does: the page that is shown is no new step of the history.
    navigator[event.currentTarget.href === location.href ? 'replace' : 'push'](path);
  };
  return (
    <a {...rest} href={navigator.createHref(path)} onClick={follow}>
      {children}
    </a>
  );
}

/** Opens a path of the console. With `useNavigate` of the router a component renders again with each change of the URL. */
export function useOpenPage(): (to: string) => void {
  const { basename, navigator } = use(NavigationContext);
  return (to) => navigator.push(pathUnder(basename, to));
}

const pathUnder = (basename: string, to: string) => (basename === '/' ? to : basename + to.replace(/^\/(?=\?|$)/, ''));

/** A link to a section of the console: the current one where its page, or one below it, is shown. */
export function SectionAnchor({ to, ...rest }: Props) {
  const { pathname } = useLocation();
  const isCurrent = pathname === to || pathname.startsWith(`${to}/`);
  return <Link {...rest} to={to} aria-current={isCurrent ? 'page' : undefined} />;
}
