// Public keys for the `p=` of a DKIM record: base64 of a SubjectPublicKeyInfo.

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
