// Public keys as the `p=` of a DKIM record holds them: base64 of a SubjectPublicKeyInfo, and of 32 bytes for Ed25519.

export const rsa512 =
  'MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALX7xKCRbLpwds/PFwYRZN9dWkPb51NPEgQ08HIt8AeU7/xOlf0610TA/5t22jve/YVa' +
  'ATMeO1mO7zoRYXj4RAsCAwEAAQ==';

export const rsa768 =
  'MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhAL6Fs0zfw8yaRW15A7XPzaD4j0smlNWpCJQpADpw7rbofUKxTJ/x5bzlbQBT9OywvNl4' +
  'SlUdXz0UwiZZ52jZJeM82OoWhnSjjSyYFbTtQeHf+u+lhlC4f8S+ahdiLX8jCQIDAQAB';

export const rsa1024 =
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCpiokbv+i1GchrTptk7I8UQ/dwWgvimyLLSIcTUh7eO3Ceo1VkPhEDHCKyYp8/' +
  'iiwsB63eXTDQ2+PP1z1iTxxHkaMA4QAPEk4NIRNNhBEOOp7AoKgXDMP5JH83Jd+z0xGEq++Qw81nFN2eYQz43TBiBFFmOPHzu5+m' +
  '4+Lq3jsLxQIDAQAB';

export const rsa2048 =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAysk+R/Sk1LVLUsEQmkxgrtKKfV2RZ20zaposuktL2eK2KPvKEvbn9cw7' +
  '/cy8CldTbRSbyvR/hK/akTKwnMLHxxLwIzhmlJaUCWZjRCK41GdP4wkQd/nFMZRDGBqdb4pLHo0qNTWwy4szm/FtjTacpwJy6KDq' +
  '+A5HI+TDoeGgORvOXVtwjJBSdYH8P8MZL8ig8I29+vVakh4CXB1WWRD+YEeTL3z/HZQdDIqigmAYhrNV5bhKCglCQBNHdnmW++6V' +
  'xGBy5jQ0xfifNsgLEVPkvVVSPTnI3/pSStngW66fPZTvUd30B9TenPXE9r7tX/SoY+oN3PeXhJdDCOjO9jA0LwIDAQAB';

export const otherRsa2048 =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5wLJYKkxfzASD7hxVOfgRQl+WmBrRV+2Afizylv/9jhlnvAI5CZAsKh3' +
  'YmHRDegDXzz5p4UYfXeIUKcNN4dCzNeRJCjYUfgGXoZ+yDv6zpTy2ydQbT1TaAwxg7qD6uzbYK8hOIN6jaYNDXWUtcqizDk4BsDT' +
  'akpVLKjJ0WpwmLImmVcf2R1PhFuq5n7dZVS9dVdmYSEFIKzcZl0QZIs17jaNfq40WGUyD4yy3MYkx0Pcycf6rlDmy49d7XkumyG8' +
  'm3hluESkPo5k13oXgaLTuANWhSwuj8jZ5DPbIL/0aNqo9rSR0ETM4btnHaOzCAmw82brTZoGaXe9NAR84APmmQIDAQAB';

export const ed25519 = 'u5Ax33Zv/fFWn61yytYUCpb62roaCnhtEMMf10WkXz0=';
