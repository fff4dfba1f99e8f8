import { use, type AnchorHTMLAttributes, type MouseEvent } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & {
  to: string;
};

/** A link within the console. The router's own renders again with each change of the URL, and a list has a hundred. */
export function Link({ to, children, ...rest }: Props) {
  const { basename, navigator } = use(NavigationContext);
  const path = pathUnder(basename, to);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // As a browser does: the current page adds no history entry.
    navigator[event.currentTarget.href === location.href ? 'replace' : 'push'](path);
  };
  return (
    <a {...rest} href={navigator.createHref(path)} onClick={follow}>
      {children}
    </a>
  );
}

/** Unlike `useNavigate`, it doesn't render the component with each change of the URL. */
export function useOpenPage(): (to: string) => void {
  const { basename, navigator } = use(NavigationContext);
  return (to) => navigator.push(pathUnder(basename, to));
}

const pathUnder = (basename: string, to: string) => (basename === '/' ? to : basename + to.replace(/^\/(?=\?|$)/, ''));

/** A link that is current on its page and on pages below it. */
export function SectionAnchor({ to, ...rest }: Props) {
  const { pathname } = useLocation();
  const isCurrent = pathname === to || pathname.startsWith(`${to}/`);
  return <Link {...rest} to={to} aria-current={isCurrent ? 'page' : undefined} />;
}
