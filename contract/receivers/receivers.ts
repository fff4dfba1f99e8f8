export const RECEIVERS = {
  gmail: 'Gmail',
  yahoo: 'Yahoo and AOL',
  outlook: 'Outlook.com',
  apple: 'Apple iCloud',
  gmx: 'GMX and WEB.DE',
} as const;
export type ReceiverId = keyof typeof RECEIVERS;
export const RECEIVER_IDS = ['gmail', 'yahoo', 'outlook', 'apple', 'gmx'] as const satisfies readonly ReceiverId[];
