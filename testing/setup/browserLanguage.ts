// The console writes dates and numbers in the language of the browser. For tests it is this one on every machine.
Object.defineProperty(navigator, 'language', { value: 'en-GB', configurable: true });
