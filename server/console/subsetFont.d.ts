// What the build uses of subset-font, which comes without types.
declare module 'subset-font' {
  /** The font with the letters of `text` alone, and of each axis the part that is given. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'woff2'; variationAxes: Record<string, { min: number; max: number; default: number }> },
  ): Promise<Uint8Array>;
}
