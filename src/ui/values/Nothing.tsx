/** A dash, which screen readers read as words. */
export const Nothing = ({ words = 'none' }: { words?: string }) => {
  'use no memo'; // It's small, and the first file has to be.
  return (
    <span className="nothing">
      <span className="visually-hidden">{words}</span>
    </span>
  );
};
