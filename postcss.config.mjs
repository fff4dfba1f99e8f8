import mantine from 'postcss-preset-mantine';
import variables from 'postcss-simple-vars';

const CIRCLE = "d='M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0";

/** The path of the icon of each state: as in Tabler's set, but all of one. */
const STATE_ICONS = {
  // circle-check
  good: `${CIRCLE}M9 12l2 2l4 -4'`,
  // alert-triangle
  warn: "d='M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0M12 16h.01'",
  // circle-x
  bad: `${CIRCLE}M10 10l4 4m0 -4l-4 4'`,
  // clock
  wait: `${CIRCLE}M12 7v5l3 3'`,
  // circle-dashed: every other sixteenth
  neutral: `${CIRCLE}' stroke-dasharray='3.534' stroke-dashoffset='3.534'`,
};

const drawIcon = (name, color) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='${color.replace('#', '%23')}' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath ${STATE_ICONS[name]}/%3E%3C/svg%3E")`;

/**
 * Variables of Mantine that nothing refers to: palettes that we do not use, and the shades of those that we do, which the
 * theme writes (src/ui/theme.ts). They came before the first paint.
 */
const UNUSED =
  /^--mantine-(color-(\w+-\d|(pink|grape|violet|indigo|blue|cyan|green|lime|yellow|orange)-)|h\d-|heading-|shadow-|breakpoint-|z-index-)/;

const withoutUnused = {
  postcssPlugin: 'without-unused',
  Declaration(declaration) {
    if (UNUSED.test(declaration.prop)) declaration.remove();
  },
};

export default {
  plugins: [
    mantine({
      mixins: {
        // Out of sight, and still read by screen readers.
        'visually-hidden': {
          position: 'absolute',
          width: '1px',
          height: '1px',
          overflow: 'hidden',
          'clip-path': 'inset(50%)',
        },
        // The colour of a state, and its icon in that colour, because an image knows no variables.
        tone: (_rule, name, color) => ({ [`--${name}`]: color, [`--${name}-icon`]: drawIcon(name, color) }),
      },
    }),
    variables({ variables: { 'breakpoint-narrow': '600px', 'breakpoint-wide': '1100px' } }),
    withoutUnused,
  ],
};
