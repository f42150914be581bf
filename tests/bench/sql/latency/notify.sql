SELECT pg_notify('bare', '')
