import { Link } from 'react-router';
import { paths } from '../paths.ts';

/** What became of a watch, with the way to its domain. */
export function WatchToast({ domain, sentence }: { domain: string; sentence: string }) {
  return (
    <>
      <Link to={paths.domain(domain)}>{domain}</Link> {sentence}
    </>
  );
}
