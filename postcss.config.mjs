import mantine from 'postcss-preset-mantine';
import variables from 'postcss-simple-vars';

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
      },
    }),
    variables({ variables: { 'breakpoint-narrow': '600px', 'breakpoint-wide': '1100px' } }),
    withoutUnused,
  ],
};
