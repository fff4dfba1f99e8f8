import classes from './Views.module.css';

type Props = { isShared: boolean; onChange: (isShared: boolean) => void };

export function ShareField({ isShared, onChange }: Props) {
  return (
    <label className={classes.share}>
      <input type="checkbox" checked={isShared} onChange={({ currentTarget: { checked } }) => onChange(checked)} />
      <span>Share with everyone in the workspace</span>
    </label>
  );
}
