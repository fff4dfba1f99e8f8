import classes from './palette/Commands.module.css';
import { isMac } from './shortcuts.ts';

export function Keys({ keys }: { keys: string }) {
  return (
    <span className={classes.caps}>
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key === keys ? key : nameOf(key)}</kbd>
      ))}
    </span>
  );
}

function nameOf(key: string): string {
  if (key === 'Mod') return isMac ? '⌘' : 'Ctrl';
  return key === 'k' ? 'K' : key;
}
