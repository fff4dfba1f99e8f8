import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BarChart, scaleOf } from './BarChart.tsx';

const bar = (...counts: number[]) => ({ parts: counts.map((count, at) => ({ kind: `kind${at}`, count })) });

test('the scale is the highest bar, and at least 5', () => {
  expect(scaleOf([])).toBe(5);
  expect(scaleOf([bar(1), bar(0, 0)])).toBe(5);
  expect(scaleOf([bar(2, 3), bar(4, 3), bar(6)])).toBe(7);
});

test('a bar is as high as its share of the scale, and no part is too small to be seen', () => {
  const bars = [bar(1), bar(2000), bar(1998, 1, 1)].map((one, id) => ({
    ...one,
    id,
    label: `bar ${id}`,
    isCurrent: false,
  }));
  render(<BarChart label="chart" bars={bars} onPick={() => {}} onPoint={() => {}} />);
  expect(screen.getByText('2,000')).toBeTruthy();
  const heights = screen
    .getAllByRole('button')
    .map((element) =>
      [...element.querySelectorAll('rect[data-kind]')].map((part) => Number(part.getAttribute('height'))),
    );
  expect(heights[0]?.[0]).toBe(2);
  expect(heights[1]).toEqual([100]);
  const third = heights[2] ?? [];
  expect(third).toHaveLength(3);
  expect(third.reduce((sum, height) => sum + height, 0)).toBeCloseTo(100);
  expect(Math.min(...third)).toBeGreaterThan(1.5);
});
