import { queryOptions } from '@tanstack/react-query';

/** A list that was pasted on another page, on its way to the bulk page. In the memory of the page: a sign-out drops it. */
export const handedTextQuery = queryOptions({
  queryKey: ['text for the bulk page'],
  queryFn: () => '',
  initialData: '',
  staleTime: Infinity,
  gcTime: Infinity,
});
