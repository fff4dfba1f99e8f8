import { use, type AnchorHTMLAttributes, type MouseEvent } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation } from 'react-router';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & {
  to: string;
  /** Of the opened location. */
  state?: string;
};

/** A link within the console. The router's own renders again with each change of the URL, and a list has a hundred. */
export function Link({ to, state, children, ...rest }: Props) {
  const { basename, navigator } = use(NavigationContext);
  const path = pathUnder(basename, to);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // As a browser does: the current page adds no history entry.
    navigator[event.currentTarget.href === location.href ? 'replace' : 'push'](path, state);
  };
  return (
    <a {...rest} href={navigator.createHref(path)} onClick={follow}>
      {children}
    </a>
  );
}

/** Unlike `useNavigate`, it doesn't render the component with each change of the URL. */
export function useOpenPage(): (to: string, state?: string) => void {
  const { basename, navigator } = use(NavigationContext);
  return (to, state) => navigator.push(pathUnder(basename, to), state);
}

const pathUnder = (basename: string, to: string) => (basename === '/' ? to : basename + to.replace(/^\/(?=\?|$)/, ''));

/** A link that is current on its page, on pages below it and on its tabs. */
export function SectionAnchor({ to, tabs, ...rest }: Props & { tabs?: readonly string[] }) {
  const { pathname } = useLocation();
  const isCurrent = [to, ...(tabs ?? [])].some((path) => `${pathname}/`.startsWith(`${path}/`));
  return <Link {...rest} to={to} aria-current={isCurrent ? 'page' : undefined} />;
}
