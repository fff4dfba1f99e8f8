const CIRCLE = "d='M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0";

/** The path of each icon, from Tabler's set. */
const PATHS = {
  // circle-check
  good: `${CIRCLE}M9 12l2 2l4 -4'`,
  // alert-triangle
  warn: "d='M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0M12 16h.01'",
  // circle-x
  bad: `${CIRCLE}M10 10l4 4m0 -4l-4 4'`,
  // clock
  wait: `${CIRCLE}M12 7v5l3 3'`,
  // circle-dashed
  neutral: `${CIRCLE}' stroke-dasharray='3.534' stroke-dashoffset='3.534'`,
};

export type StateIcon = keyof typeof PATHS;

/** For the style sheet: the icon of a state as a CSS image (vite.config.ts). */
export const drawStateIcon = (name: StateIcon, color: string): string =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='${color.replace('#', '%23')}' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath ${PATHS[name]}/%3E%3C/svg%3E")`;
