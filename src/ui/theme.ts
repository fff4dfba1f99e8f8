import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** The accent. Green, amber, red and violet are for states (StatusBadge.tsx). */
const teal: MantineColorsTuple = [
  '#eaf6f6',
  '#d3ebeb',
  '#a6d7d8',
  '#75c1c4',
  '#4caeb2',
  '#2f9ba1',
  '#1b868d',
  '#0f7078',
  '#0b5c63',
  '#07474d',
];

const red: MantineColorsTuple = [
  '#fdebe9',
  '#fad5d1',
  '#f5b0a8',
  '#ef8478',
  '#e45f51',
  '#d64536',
  '#c23324',
  '#b42318',
  '#97190f',
  '#741109',
];

const slate: MantineColorsTuple = [
  '#f7f9fa',
  '#eef1f3',
  '#e0e5e9',
  '#cbd3d9',
  '#aab5be',
  '#87949f',
  '#687682',
  '#505d68',
  '#38434c',
  '#232b32',
];

/** Dark surfaces: 7 is the page, 6 a raised surface, 4 a line, 1 soft ink, 0 ink. */
const night: MantineColorsTuple = [
  '#dfe5e9',
  '#aeb9c1',
  '#8a97a1',
  '#5d6973',
  '#39434c',
  '#2a333b',
  '#1d252c',
  '#141a20',
  '#0f1419',
  '#0a0e12',
];

/** Mantine's light variants miss WCAG AA in both schemes; these do not. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  if (input.variant !== 'light' && input.variant !== 'subtle') return resolved;
  const color = input.color ?? input.theme.primaryColor;
  return { ...resolved, color: `light-dark(var(--mantine-color-${color}-8), var(--mantine-color-${color}-2))` };
};

export const theme = createTheme({
  colors: { teal, red, gray: slate, dark: night },
  primaryColor: 'teal',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  variantColorResolver,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '0.9375rem', xl: '1rem' },
  defaultRadius: 'sm',
  radius: { sm: '6px', md: '8px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  activeClassName: 'pressable',
});
