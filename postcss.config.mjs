export default {
  plugins: {
    'postcss-preset-mantine': {
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
    },
    'postcss-simple-vars': { variables: { 'breakpoint-narrow': '600px', 'breakpoint-wide': '1100px' } },
  },
};
