export default {
  plugins: {
    'postcss-preset-mantine': {},
    'postcss-simple-vars': { variables: { 'breakpoint-narrow': '600px', 'breakpoint-wide': '1100px' } },
  },
};
